type Details = Readonly<Record<string, string | number | boolean | null>>

/** Returns an entry's details as stored, with formatted times; an empty string if there are none. */
export function serializeDetails(details: Details, format: (ms: number) => string): string {
  if (Object.keys(details).length === 0) return ''
  return JSON.stringify(details, (key, value: unknown) =>
    typeof value === 'number' && key.endsWith('At') ? format(value) : value,
  )
}
