import type { Kysely } from 'kysely'
import { change } from './ddl.ts'
import { accounts } from './initial/accounts.ts'
import { auditLog } from './initial/auditLog.ts'
import { conversations } from './initial/conversations.ts'
import { files } from './initial/files.ts'
import { founder } from './initial/founder.ts'
import { monitoring } from './initial/monitoring.ts'
import { notifications } from './initial/notifications.ts'
import { push } from './initial/push.ts'
import { processes } from './initial/processes.ts'
import { secondFactor } from './initial/secondFactor.ts'
import { security } from './initial/security.ts'
import { sessions } from './initial/sessions.ts'

/** Creates the whole schema, one file per subject. A table comes after those that it references. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const subjects = [
    accounts,
    sessions,
    push,
    secondFactor,
    conversations,
    files,
    notifications,
    auditLog,
    security,
    founder,
    monitoring,
    processes,
  ]
  await change(db, subjects.flat())
}
