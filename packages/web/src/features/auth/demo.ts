import { queryOptions } from '@tanstack/react-query'
import type { config } from '@privity/contract/config'
import type { Result } from '@privity/contract/endpoint'
import { getJson } from '../../app/getJson.ts'

/** The server's public configuration; `demo` contains the demo accounts if they exist. */
export const configQuery = queryOptions({
  queryKey: ['/api/config'],
  queryFn: () => getJson<Result<typeof config.get>>('/api/config'),
})
