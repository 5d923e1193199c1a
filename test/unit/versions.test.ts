import development from '../../package.json';
import runtime from '../../lab/runtime/package.json';

describe.each([
	['package.json', development.devDependencies],
	['lab/runtime/package.json', runtime.dependencies],
])('%s', (_, packages) => {
	it('names each package with one exact version, since its lock file has no other', () => {
		const exact = expect.stringMatching(/^\d+\.\d+\.\d+$/);
		const names = Object.keys(packages);
		expect(packages).toEqual(Object.fromEntries(names.map((name) => [name, exact])));
	});
});
