// Apart from the calls: a form that checks a code needs no schema.

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
export const codeAlphabet = { letters, digits } as const

/** ABC-DEF-123 from what a person typed (any case, spaces or hyphens or none), or undefined. */
export function normaliseCode(typed: string): string | undefined {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '')
  const form = new RegExp(`^[${letters}]{6}[${digits}]{3}$`)
  return form.test(bare) ? `${bare.slice(0, 3)}-${bare.slice(3, 6)}-${bare.slice(6)}` : undefined
}
