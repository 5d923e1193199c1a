/** The simulated service as tests use it. */
export type { Reply, Situation } from './answer';
export { defaultBehaviour, type Behaviour } from './behaviour';
export { defaultBehaviourV2, type BehaviourV2 } from './v2/behaviour';
export * as contractV2 from './v2/contract';
export * as pageContract from './page/contract';
export type { ActionResult, CustomAction } from './page/customAction';
export type { Source, Ticket, WhatsAppTemplate } from './v2/state';
export { Clock } from './clock';
export type { Contact, PaymentAccount } from './contactBook';
export * as contract from './contract';
export type { CustomAttribute } from './customAttribute';
export { illegalities, type CheckedRequest } from './endpoints';
export { ActiveFault, type Fault, type FaultCondition, type PlannedFault } from './faults';
export type { RateLimit } from './rateLimit';
export type { RecordedRequest } from './requestLog';
export { demoAttributes, seededContact } from './seed';
export {
	defaultApiKey,
	echo,
	startService,
	type RequestListener,
	type ServiceOptions,
	type SimulatedService,
} from './service';
export { Store, type Chatbot, type Conversation, type Lead, type Message } from './store';
