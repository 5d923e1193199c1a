import { groupBy } from '../../values/groupBy';
import { normalizeEmail } from './contact';
import type { ContactTask } from './plan';

export function wantedEmail({ wanted }: ContactTask): string | undefined {
	return normalizeEmail(wanted.fields.get('email'));
}

function currentEmail({ existing }: ContactTask): string | undefined {
	return normalizeEmail(existing?.email);
}

function changesEmail(task: ContactTask): boolean {
	const { wanted, settings } = task;
	const isKept = currentEmail(task) !== undefined && settings.onlyIfEmpty.includes('email');
	return wanted.fields.has('email') && wantedEmail(task) !== currentEmail(task) && !isKept;
}

/**
 * Puts updates in rounds: a contact that takes an email of the run comes after the one that gives it up. The last round
 * waits in circles, which works only if the service allows shared emails.
 *
 * @param isWritten whether a contact may be changed; others keep their email
 * @returns `exchanges` has the contacts of the circles, without those that only wait for one of them
 */
export function inEmailOrder(tasks: ContactTask[], isWritten: (task: ContactTask) => boolean) {
	const changing = tasks.filter((task) => changesEmail(task) && isWritten(task));
	const giving = changing.filter((task) => currentEmail(task) !== undefined);
	const givers = groupBy(giving, (task) => currentEmail(task)!);
	const mustWait = (task: ContactTask) => givers.has(wantedEmail(task) ?? '');
	const waiting = groupBy(changing.filter(mustWait), (task) => wantedEmail(task)!);
	const late = new Set([...waiting.values()].flat());
	const rounds: ContactTask[][] = [];
	let round = tasks.filter((task) => !late.has(task));
	while (round.length > 0) {
		rounds.push(round);
		round = round.flatMap((task) => {
			const email = changesEmail(task) ? (currentEmail(task) ?? '') : '';
			// A service that allows shared emails may have several contacts that give it up.
			if (givers.get(email)?.pop() === undefined || givers.get(email)!.length > 0) return [];
			const next: ContactTask[] = waiting.get(email) ?? [];
			waiting.delete(email);
			return next;
		});
	}
	const stuck = [...waiting.values()].flat();
	const giverOf = (task: ContactTask) => givers.get(wantedEmail(task)!)![0];
	return { rounds: [...rounds, stuck], exchanges: circlesAmong(stuck, giverOf) };
}

function circlesAmong<Task>(tasks: Task[], nextOf: (task: Task) => Task): Set<Task> {
	const circles = new Set<Task>();
	const seen = new Set<Task>();
	for (const start of tasks) {
		const path: Task[] = [];
		let task = start;
		for (; !seen.has(task); task = nextOf(task)) {
			seen.add(task);
			path.push(task);
		}
		const begin = path.indexOf(task);
		if (begin >= 0) path.slice(begin).forEach((member) => circles.add(member));
	}
	return circles;
}
