interface Field {
  value: string
  matches(selector: string): boolean
}

/**
 * Whether nobody is at these fields yet: neither a person, who may have gone to one without having typed, nor a browser
 * or password manager that has filled them in (some show what they filled in before a script can read it).
 */
export const areUntouched = (fields: readonly Field[]): boolean =>
  fields.every((field) => field.value === '' && !field.matches(':is(:focus, :autofill)'))
