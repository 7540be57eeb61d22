// What tests choose by chance hangs on one number. A run of the tests takes the same one each time, so that what it
// says depends on the code alone; TEST_SEED=random, or a number, makes other choices. The long forms of the rigs take
// another one in each run, and name it.

const wanted = process.env['TEST_SEED'] ?? (process.env['CMS_RIG'] === 'full' ? 'random' : '2')

/** Repeats the choices of a run. */
export const SEED = wanted === 'random' ? Date.now() % 1_000_000 : Number(wanted)
