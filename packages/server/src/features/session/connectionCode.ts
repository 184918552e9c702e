import { randomInt } from 'node:crypto'
import { codeAlphabet } from '@privity/contract/connectionCode'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'

const pick = (alphabet: string, count: number) =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Creates a code that nobody has: ABC-DEF-123. */
export async function createCode(tx: Tx): Promise<string> {
  for (;;) {
    const code = `${pick(codeAlphabet.letters, 3)}-${pick(codeAlphabet.letters, 3)}-${pick(codeAlphabet.digits, 3)}`
    const taken = await tx.get('select 1 from users where connection_code = ?', [code])
    if (taken === undefined) return code
  }
}

/** The old code stops working at once; connections made with it stay. */
export function replaceCode(core: Core, caller: Caller): Promise<{ connectionCode: string }> {
  return core.db.write(async (tx) => {
    const connectionCode = await createCode(tx)
    await tx.run('update users set connection_code = ? where id = ?', [connectionCode, caller.userId])
    await auditCall(tx, caller, { action: 'connection_code_replaced', targetId: caller.userId, at: core.clock.now() })
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'user_changed' }))
    return { connectionCode }
  })
}
