import type { Endpoint } from '@privity/contract/endpoint'

/** A call whose body or response is not JSON; media types replace the schemas. */
export type RawCall = Omit<Endpoint, 'body' | 'bodyBytes' | 'result'> & {
  sends?: string
  answers: readonly string[]
}
