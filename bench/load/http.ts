import net from 'node:net'

export interface HttpResponse {
  status: number
  head: string
  body: string
}

interface Job {
  text: string
  resolve: (answer: HttpResponse) => void
  reject: (error: Error) => void
}

/**
 * A small keep-alive HTTP/1.1 client over up to `maxSockets` sockets. It is far cheaper than fetch, so that we do not
 * measure the load generator. Supports only bodies with content-length.
 */
export function httpClient(port: number, maxSockets = 4, localAddress?: string) {
  const queue: Job[] = []
  const idle: Lane[] = []
  const lanes = new Set<Lane>()

  interface Lane {
    run(job: Job): void
    destroy(): void
  }

  function openLane(): Lane {
    let buffer = ''
    let job: Job | undefined
    const socket = net.connect({ host: '127.0.0.1', port, localAddress, noDelay: true })
    socket.setEncoding('latin1')
    const lane: Lane = {
      run(next) {
        job = next
        socket.write(next.text, 'latin1')
      },
      destroy: () => socket.destroy(),
    }
    const end = (error: Error) => {
      lanes.delete(lane)
      // A server closes connections that were idle for a while.
      if (idle.includes(lane)) idle.splice(idle.indexOf(lane), 1)
      job?.reject(error)
      job = undefined
    }
    socket.on('error', end)
    socket.on('close', () => end(new Error('connection closed')))
    socket.on('data', (data: string) => {
      buffer += data
      const headEnd = buffer.indexOf('\r\n\r\n')
      if (headEnd < 0 || !job) return
      const head = buffer.slice(0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (buffer.length < end) return
      const { resolve } = job
      job = undefined
      resolve({ status: Number(head.slice(9, 12)), head, body: buffer.slice(headEnd + 4, end) })
      buffer = buffer.slice(end)
      const next = queue.shift()
      if (next) lane.run(next)
      else idle.push(lane)
    })
    lanes.add(lane)
    return lane
  }

  return {
    request(method: string, path: string, options: { headers?: string; body?: unknown } = {}): Promise<HttpResponse> {
      const body = options.body === undefined ? '' : JSON.stringify(options.body)
      const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
      const text = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${options.headers ?? ''}${length}\r\n${body}`
      return new Promise((resolve, reject) => {
        const job = { text, resolve, reject }
        const lane = idle.pop()
        if (lane) lane.run(job)
        else if (lanes.size < maxSockets) openLane().run(job)
        else queue.push(job)
      })
    },
    close() {
      for (const lane of lanes) lane.destroy()
    },
  }
}
