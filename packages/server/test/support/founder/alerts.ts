import Fastify, { type FastifyBaseLogger } from 'fastify'
import { type AlertDelivery, type AlertSettings, alertTypes } from '@privity/contract/founder/alerts'
import { expect } from 'vitest'
import { listAlerts } from '../../../src/features/founder/alerts/alerts.ts'
import { type AlertCause, raiseAlert } from '../../../src/features/founder/alerts/queue.ts'
import { saveSettings } from '../../../src/features/founder/alerts/settings.ts'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import { createTestServer, type TestServer, type TestServerOptions } from '../server/testServer.ts'
import { createMailServer, type MailServer } from '../services/mailServer.ts'
import { createServices, type Services } from '../services/alertServices.ts'

export const twilio = {
  TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
  TWILIO_AUTH_TOKEN: 'fedcba98765432100123456789abcdef',
  TWILIO_FROM: '+15550100',
}
export const sendgrid = { SENDGRID_API_KEY: 'SG.key-of-a-test.with_its-rest', MAIL_FROM: 'privity@example.org' }

/** Records every log line as text. */
export function createLines(): { log: FastifyBaseLogger; lines: string[] } {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { log: Fastify({ logger: { level: 'info', stream: { write } } }).log, lines }
}

export interface AlertServer extends AsyncDisposable {
  server: TestServer
  mail: MailServer
  services: Services
  lines: string[]
}

/** A server whose alerts go to a real mail server and to fake services, all on this machine. */
export async function createAlertServer({
  env = {},
  smtp = true,
  ...more
}: TestServerOptions & { smtp?: boolean } = {}): Promise<AlertServer> {
  const [mail, services] = [await createMailServer(), await createServices()]
  const { log, lines } = createLines()
  const alertEndpoints = { sendgrid: services.origin, twilio: services.origin }
  const server = await createTestServer({
    ...more,
    env: { ...(smtp ? { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.org' } : {}), ...env },
    options: { log, alertEndpoints, ...more.options },
  })
  return {
    server,
    mail,
    services,
    lines,
    async [Symbol.asyncDispose]() {
      await server.close()
      await services[Symbol.asyncDispose]()
      await mail.close()
    },
  }
}

const address = '10.0.0.1'

export async function choose({ core }: TestServer, chosen: Partial<AlertSettings>) {
  const started = core.db.write((tx) => core.founderSessions.start(tx, { address, keyShare: '', device: 'Test' }))
  const { id: sessionId, token } = await started
  return saveSettings(
    core,
    { sessionId, tokenHash: hashToken(token), address },
    {
      emailEnabled: false,
      emailAddress: null,
      smsEnabled: false,
      smsPhoneNumber: null,
      alertTypes: [...alertTypes],
      ...chosen,
    },
  )
}

export const toEmail = { emailEnabled: true, emailAddress: 'security@example.com' } as const
export const toPhone = { smsEnabled: true, smsPhoneNumber: '+15550199' } as const

export const raise = ({ core }: TestServer, happened: AlertCause) =>
  core.db.write((tx) => raiseAlert(tx, core, happened))

export const listed = ({ core }: TestServer) => listAlerts(core, 100)

/** Waits until the deliveries of the newest alert have these states, by channel. */
export async function settled(
  server: TestServer,
  expected: Partial<Record<AlertDelivery['channel'], AlertDelivery['state']>>,
) {
  let newest: Awaited<ReturnType<typeof listed>>[number] | undefined
  const states = async () => {
    ;[newest] = await listed(server)
    return Object.fromEntries((newest?.deliveries ?? []).map(({ channel, state }) => [channel, state]))
  }
  await expect.poll(states).toEqual(expected)
  return newest
}
