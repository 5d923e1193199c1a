export { createEngine, Engine } from './engine';
export type {
	EngineOptions,
	ListSearchOptions,
	RunOptions,
	RunResult,
	ToolOptions,
	ToolResult,
	WorkflowOptions,
} from './engine';
export { logOf } from './log';
export type { Poller, PollingOptions, PollResult } from './polling';
export { ProcessedItems } from './processedItems';
export type { ExecutionOptions, ExecutionResult, InputItem, NodeResult } from './runs';
export { storeFile } from './storedFiles';
export { branch } from './standIns';
export type { Tool, ToolAnswer, ToolCall } from './tools';
export type { Connection, NodeOptions, NodeSettings } from './workflows';
