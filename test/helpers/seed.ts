// The seed of all random choices in tests. It is fixed, so that the result of a test run depends only on the
// code; TEST_SEED=random or a number changes the seed. The long forms of the rigs use a new seed in each run
// and print it.

const wanted = process.env['TEST_SEED'] ?? (process.env['CMS_RIG'] === 'full' ? 'random' : '2')

/** Repeats the choices of a run. */
export const SEED = wanted === 'random' ? Date.now() % 1_000_000 : Number(wanted)
