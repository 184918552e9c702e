import build from 'fast-json-stringify'
import { z } from 'zod'

type Serialize = (answer: unknown) => string

const compiled = new WeakMap<z.ZodType, Serialize>()

function compile(result: z.ZodType): Serialize {
  const serialize = compiled.get(result) ?? build(z.toJSONSchema(result, { target: 'draft-7' }) as object)
  compiled.set(result, serialize)
  return serialize
}

/**
 * Writes answers as JSON, cut to the declared shape. Compiled when the first answer is written and once in a process:
 * compiling every call's at the start was a quarter of it.
 */
export function serializer(result: z.ZodType): Serialize {
  let serialize: Serialize | undefined
  return (answer) => (serialize ??= compile(result))(answer)
}
