// First of all: see there.
import './user-folder';

export { createEngine, type Engine, type RunOptions, type RunResult } from './engine';
export type { NodeResult, ExecutionResult, InputItem } from './runs';
export type { Connection, NodeOptions, NodeSettings } from './workflows';
