import { resource } from '../../panel/operation';
import { exportConversations } from './export';
import { get } from './get';
import { getAll } from './getAll';
import { pause, resume } from './pauseAndResume';
import { search } from './search';

const operations = [exportConversations, get, getAll, pause, resume, search];

export const conversation = resource('conversation', 'getAll', operations);
