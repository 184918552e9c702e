/** What the operator can put right; shown as its sentence. */
export class Refusal extends Error {}

/** Wrong use of the command line: the help is shown with it. */
export class WrongUse extends Error {}
