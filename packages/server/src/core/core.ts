import type { FastifyBaseLogger } from 'fastify'
import type { Endpoint } from '@privity/contract/endpoint'
import type { RawCall } from './apiDocument.ts'
import type { AuditKey } from './auditKey.ts'
import type { Background } from './background.ts'
import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import type { FactorCheck } from './factorCheck.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { FounderSessions } from './founderSessions.ts'
import type { LoopDelay } from './loopDelay.ts'
import type { Mail } from './mail.ts'
import type { Metrics } from './metrics.ts'
import type { Processes } from './processes.ts'
import type { Passwords } from './passwords.ts'
import type { Rates } from './rates.ts'
import type { Refusals } from './refusals.ts'
import type { SentMessages } from './sentMessages.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions } from './sessions.ts'
import type { Sockets } from './sockets.ts'
import type { Storage } from './storage.ts'

/** What every feature is given. */
export interface Core {
  config: Config
  clock: Clock
  background: Background
  db: Db
  bus: Bus
  processes: Pick<Processes, 'id' | 'others'>
  sessions: Sessions
  founderSessions: FounderSessions
  sockets: Sockets
  sentMessages: SentMessages
  storage: Storage
  rates: Rates
  secrets: Secrets
  auditKey: AuditKey
  passwords: Passwords
  mail: Mail
  /** Where the services for alerts are. */
  alertServices: { sendgrid: string; twilio: string }
  /** Whether a member can do nothing before he has set up the second factor that his organization requires. */
  isFactorMissing(userId: string): Promise<boolean>
  /** Whether the founder can do nothing before replacing the password that the first start made. */
  isFounderPasswordGenerated(): Promise<boolean>
  factorCheck: FactorCheck
  log: FastifyBaseLogger
  refusals: Refusals
  metrics: Metrics
  loopDelay: LoopDelay
  /** Whether the server was told to stop, and sends who asks for its health elsewhere. */
  isDraining(): boolean
  /** Every mounted endpoint, for the API document and the tests that walk them all. */
  endpoints: Endpoint[]
  /** The mounted calls that are not JSON both ways, for the API document. */
  rawCalls: RawCall[]
}
