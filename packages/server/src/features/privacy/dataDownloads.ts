import type { FastifyRequest } from 'fastify'
import type { PreferenceState } from '@privity/contract/preferences'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { changePreferences } from '../preferences/update.ts'
import { checkProven, provePassword } from '../session/passwordCheck.ts'

/** Switches data downloads on after checking the password: a browser left open must not hand out everything at once. */
export async function allowExports(
  core: Core,
  request: FastifyRequest,
  caller: Caller,
  password: string,
): Promise<PreferenceState> {
  const proven = await provePassword(core, request, caller, password)
  return core.db.write(async (tx) => {
    await checkProven(tx, caller, proven)
    return changePreferences(tx, { core, request, caller }, { dataDownloads: true })
  })
}
