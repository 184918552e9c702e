interface Field {
  value: string
  matches(selector: string): boolean
}

/**
 * Whether nobody uses these fields yet: no person has focused one, and no browser or password manager has filled one in
 * (some display autofilled values before a script can read them).
 */
export const areUntouched = (fields: readonly Field[]): boolean =>
  fields.every((field) => field.value === '' && !field.matches(':is(:focus, :autofill)'))
