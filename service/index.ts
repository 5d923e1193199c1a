/** The simulated service as tests use it. */
export { echo, type Reply, type Situation } from './core/answer';
export { answerFromSources } from './core/knowledge';
export { defaultBehaviour, defaultSwitches, type Behaviour, type Switches } from './v1/behaviour';
export {
	defaultBehaviourV2,
	defaultSwitchesV2,
	type BehaviourV2,
	type SwitchesV2,
} from './v2/behaviour';
export * as contractV2 from './v2/contract';
export * as pageContract from './page/contract';
export type { ActionResult, CustomAction } from './page/customAction';
export type { Source, Ticket, WhatsAppTemplate } from './v2/state';
export { Clock } from './core/clock';
export type { Contact, PaymentAccount } from './core/contactBook';
export * as contract from './v1/contract';
export type { CustomAttribute } from './core/customAttribute';
export { illegalities, type CheckedRequest } from './core/illegalities';
export { ActiveFault, type Fault, type FaultCondition, type PlannedFault } from './core/faults';
export type { RateLimit } from './core/rateLimit';
export type { RecordedRequest } from './core/requestLog';
export { demoAttributes, seededContact } from './core/seed';
export type { RequestListener } from './core/server';
export {
	defaultApiKey,
	startService,
	type ServiceOptions,
	type SimulatedService,
} from './core/service';
export { Store, type Chatbot, type Conversation, type Lead, type Message } from './core/store';
