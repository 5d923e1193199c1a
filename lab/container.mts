/** An n8n of another version, as most people run it: an image of Docker, which also says where n8n is in it. */
export interface Image {
	/** Such as `n8nio/n8n:stable`. */
	image: string;
}

/**
 * The program and the arguments that start an image in place of an installed n8n. It shares the network, the user and
 * the user folder with this machine, so that it finds the simulated service and the package. For Docker on Linux.
 *
 * @param settings the names of the variables that n8n gets from the environment.
 */
export function inContainer(
	{ image }: Image,
	userFolder: string,
	settings: string[],
): [program: string, ...args: string[]] {
	const user = `${process.getuid?.()}:${process.getgid?.()}`;
	return [
		'docker',
		'run',
		'--rm',
		'--network=host',
		`--user=${user}`,
		`--volume=${userFolder}:${userFolder}`,
		`--env=HOME=${userFolder}`,
		...settings.map((name) => `--env=${name}`),
		image,
	];
}
