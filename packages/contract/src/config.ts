import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { time } from './values.ts'

export const config = {
  get: endpoint({
    method: 'GET',
    path: '/api/config',
    guard: 'public',
    result: z.object({
      version: z.string(),
      now: time,
      retention: z.int().describe('lifetime of a message in milliseconds'),
      demo: z
        .object({
          username: z.string(),
          password: z.string(),
          other: z.object({ username: z.string(), password: z.string() }),
        })
        .optional()
        .describe('the demo accounts, if DEMO is on and they exist'),
      sendsEmail: z.boolean().describe('whether a mail server is set up'),
      supportEmail: z.string().optional().describe("email address of this server's operator"),
    }),
    summary: 'The configuration that a browser needs before sign-in',
  }),
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    guard: 'public',
    result: z.object({ status: z.enum(['good', 'warning', 'critical', 'draining']), version: z.string() }),
    otherStatus: { status: 503, when: 'The server stops' },
    summary: 'Health of the server, its database and its files; 503 with `draining` while it stops',
  }),
  alive: endpoint({
    method: 'GET',
    path: '/api/alive',
    guard: 'public',
    byItself: true,
    result: z.object({ version: z.string() }),
    summary: 'Whether the process responds, for a supervisor that otherwise restarts it',
  }),
}
