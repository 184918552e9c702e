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
      retention: z.int().describe('milliseconds a message lives'),
      demo: z
        .object({
          username: z.string(),
          password: z.string(),
          other: z.object({ username: z.string(), password: z.string() }),
        })
        .optional()
        .describe('the demo accounts, where DEMO is on and they have been made'),
      supportEmail: z.string().optional().describe('where the operator of this server reads mail'),
    }),
    summary: 'What a browser needs before anyone signs in',
  }),
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    guard: 'public',
    result: z.object({ status: z.enum(['good', 'warning', 'critical', 'draining']), version: z.string() }),
    summary: 'Whether the server, its database and its files are well; 503 with draining while it stops',
  }),
  alive: endpoint({
    method: 'GET',
    path: '/api/alive',
    guard: 'public',
    byItself: true,
    result: z.object({ version: z.string() }),
    summary: 'Whether the process answers at all: for what starts it again where it does not',
  }),
}
