/** An error that the operator can correct; only its message is shown. */
export class Refusal extends Error {}

/** Wrong use of the command line; the help is shown with the message. */
export class WrongUse extends Error {}
