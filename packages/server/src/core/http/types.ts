import type { Endpoint } from '@privity/contract/endpoint'

/** A call whose body or answer is not JSON; media types stand in the place of the schemas. */
export type RawCall = Omit<Endpoint, 'body' | 'bodyBytes' | 'result'> & {
  sends?: string
  answers: readonly string[]
}
