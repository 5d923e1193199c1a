/** The examples that close the loop between a website, the chatbot, the CRM and the team. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { answersAreChecked } from './answersExample.mjs';
import { chatbotAsksForOrders } from './orderLookupExample.mjs';
import { chatbotLooksUpOrders } from './orderStatusExample.mjs';
import { questionsComeBack } from './questionsExample.mjs';
import { answersAreRated } from './ratingExample.mjs';
import { customersAreRecognized } from './recognizeExample.mjs';

export async function loopIsClosed(stage: Stage, checks: Checks): Promise<string> {
	await customersAreRecognized(stage, checks);
	await chatbotLooksUpOrders(stage, checks);
	await chatbotAsksForOrders(stage, checks);
	await answersAreRated(stage, checks);
	await questionsComeBack(stage, checks);
	await answersAreChecked(stage, checks);
	return 'customers are recognized, orders looked up, answers rated, questions answered, and answers checked';
}
