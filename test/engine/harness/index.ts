export { createEngine, Engine } from './engine';
export type { RunOptions, RunResult } from './engine';
export { logOf } from './log';
export type { Poller, PollingOptions } from './polling';
export { ProcessedItems } from './processedItems';
export type { InputItem } from './runs';
export { storeFile } from './storedFiles';
export { branch } from './standIns';
export type { NodeOptions, NodeSettings } from './workflows';
