/** The simulated service as tests use it. */
export type { Reply, Situation } from './core/answer';
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
export type { CustomAction } from './page/customAction';
export type { ClientAction } from './v2/clientAction';
export type { Source, Ticket, WhatsAppTemplate } from './v2/state';
export type { Contact } from './core/contactBook';
export * as contract from './v1/contract';
export type { CustomAttribute } from './core/customAttribute';
export { illegalities } from './core/illegalities';
export type { Fault, FaultCondition, PlannedFault } from './core/faults';
export type { RateLimit } from './core/rateLimit';
export type { RecordedRequest } from './core/requestLog';
export { seededContact } from './core/seed';
export {
	defaultApiKey,
	startService,
	type ServiceOptions,
	type SimulatedService,
} from './core/service';
export type { Chatbot, Message } from './core/store';
