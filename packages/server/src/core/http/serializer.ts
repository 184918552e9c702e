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
 * Writes results as JSON, cut to the declared shape. Compiled for the first result and once per process: compiling all
 * calls in advance took a quarter of the start.
 */
export function serializer(result: z.ZodType): Serialize {
  let serialize: Serialize | undefined
  return (answer) => (serialize ??= compile(result))(answer)
}
