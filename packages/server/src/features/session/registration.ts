import type { FastifyRequest } from 'fastify'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { NewKeys } from '@privity/contract/keys'
import type { session as contract } from '@privity/contract/session'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { isTaken } from '../../core/database/errors.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import { newId } from '../../core/ids.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { checkFirstEpoch, insertEpoch } from '../keys/epochs.ts'
import { hashProof } from '../keys/recoveryProof.ts'
import { findDefaultOrganization } from '../organization/organization.ts'
import { updateSearchIndex } from '../organization/users/searchIndex.ts'
import { checkEmailDomain } from '../organization/policy/emailDomains.ts'
import { effectivePolicyOf } from '../organization/policy/effectivePolicy.ts'
import { requireOpenInvitation, useInvitation } from '../organization/invitations/invitations.ts'
import { notifyAdministrators } from '../organization/roles/notifyAdministrators.ts'
import { createCode } from './connectionCode.ts'
import type { SignedIn } from './signIn.ts'
import { startSession } from './startSession.ts'
import { getUser, toUser } from './users.ts'

type NewAccount = Received<typeof contract.register>['body']

type Place = Pick<UserRow, 'organization_id' | 'role'>

async function checkNotTaken(db: Reader, { username, email, keys }: NewAccount): Promise<void> {
  if (await db.get('select 1 from users where username = ?', [username])) throw new AppError('USERNAME_TAKEN')
  if (await db.get('select 1 from users where email = ?', [email])) throw new AppError('EMAIL_TAKEN')
  if (keys === undefined) return
  const idInUse = 'select 1 from users where id = ? union all select 1 from retired_users where id = ?'
  if (await db.get(idInUse, [keys.userId, keys.userId])) throw new AppError('USER_ID_TAKEN')
}

/**
 * The organization and role of a new account: those of its invitation, else the default organization. On loopback the
 * first account becomes its Super Admin.
 */
async function findPlace(db: Reader, core: Core, { invitation }: NewAccount): Promise<Place> {
  if (invitation !== undefined) return requireOpenInvitation(db, core, invitation)
  const isFirst = core.config.loopback && (await db.get('select 1 from users limit 1')) === undefined
  const organization = await findDefaultOrganization(db)
  if (organization === undefined) throw new Error('there is no organization')
  if (!isFirst && (await effectivePolicyOf(db, organization.id)).invitationOnly) throw new AppError('INVITATION_NEEDED')
  return { organization_id: organization.id, role: isFirst ? 'super_admin' : 'user' }
}

/** Checks first whether the person may sign up here: a refusal must not reveal who has an account. */
async function checkSignUp(db: Reader, core: Core, account: NewAccount): Promise<Place> {
  const place = await findPlace(db, core, account)
  await checkEmailDomain(db, place.organization_id, account.email)
  await checkNotTaken(db, account)
  return place
}

function keyColumns(core: Core, keys: NewKeys | undefined) {
  if (keys === undefined) return {}
  const { encryptAtRest } = core.secrets
  return {
    identity_key: keys.identityKey,
    wrapped_identity_seed: encryptAtRest(keys.wrappedIdentitySeed),
    wrapped_account_key: encryptAtRest(keys.wrappedAccountKey),
    recovery_wrapped_account_key: encryptAtRest(keys.recoveryWrappedAccountKey),
    recovery_proof_hash: hashProof(core, keys.recoveryProof),
    recovery_kem_key: keys.recovery.kemKey,
    recovery_kem_signature: keys.recovery.signature,
    pins_version: keys.pins.version,
    pins: keys.pins.sealed,
  }
}

async function insertAccount(
  tx: Tx,
  core: Core,
  account: NewAccount,
  passwordHash: string,
): Promise<{ id: string; invitationId: string | null }> {
  const now = core.clock.now()
  const id = account.keys?.userId ?? newId(now)
  const place = await checkSignUp(tx, core, account)
  const { invitation } = account
  const invitationId = invitation === undefined ? null : await useInvitation(tx, core, invitation, id)
  await tx.kysely
    .insertInto('users')
    .values({
      id,
      username: account.username,
      email: account.email,
      first_name: account.firstName,
      last_name: account.lastName,
      organization_id: place.organization_id,
      role: place.role,
      connection_code: await createCode(tx),
      password_hash: passwordHash,
      password_version: account.passwordVersion,
      created_at: now,
      recovery_key_unsaved: account.keys !== undefined && account.recoveryKeyUnsaved === true ? 1 : 0,
      ...keyColumns(core, account.keys),
    })
    .execute()
  await updateSearchIndex(tx, id)
  if (account.keys !== undefined) await insertEpoch(tx, core, account.keys.epoch)
  notifyAdministrators(tx, core, place.organization_id)
  return { id, invitationId }
}

/** The unique columns decide between two concurrent sign-ups. */
function toConflict(error: unknown): unknown {
  if (isTaken(error, 'users.username')) return new AppError('USERNAME_TAKEN')
  if (isTaken(error, 'users.email')) return new AppError('EMAIL_TAKEN')
  return error
}

/** Creates the account and signs it in. */
export async function register(core: Core, request: FastifyRequest, account: NewAccount): Promise<SignedIn> {
  if (account.keys !== undefined) checkFirstEpoch(core, account.keys)
  await checkSignUp(core.db.read, core, account)
  const passwordHash = await core.passwords.hash(account.password)
  try {
    return await core.db.write(async (tx) => {
      const { id, invitationId } = await insertAccount(tx, core, account, passwordHash)
      const session = await startSession(tx, core, request, id, { isFirst: true })
      await audit(tx, {
        action: 'account_created',
        actorId: id,
        targetId: id,
        address: request.ip,
        details: { invitation: invitationId, keys: account.keys !== undefined },
        at: core.clock.now(),
      })
      tx.afterCommit(() => core.bus.publish('signalsStored', {}))
      return { user: toUser(await getUser(tx, id)), session }
    })
  } catch (error) {
    throw toConflict(error)
  }
}
