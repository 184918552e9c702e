import type { OpenSocket } from './transport/socket.ts'

/** Node's WebSocket takes headers, which a browser's does not. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket

/** Node keeps no cookies: `fetch` and the sockets share a cookie jar for one server. */
export function createNodeConnection(): { fetch: typeof globalThis.fetch; openSocket: OpenSocket } {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    async fetch(input, init) {
      const headers = new Headers(init?.headers)
      if (jar.size > 0) headers.set('cookie', cookie())
      const response = await globalThis.fetch(input, { ...init, headers })
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';')
        const [name = '', value = ''] = pair.split(/=(.*)/s)
        const isDeleted = value === '' || attributes.some((each) => /^\s*max-age=0\s*$/i.test(each))
        if (isDeleted) jar.delete(name.trim())
        else jar.set(name.trim(), value)
      }
      return response
    },
    openSocket: (url) => new NodeWebSocket(url, { headers: { cookie: cookie() } }),
  }
}
