import { MutationObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallError, type Organization } from '@privity/client'
import type { OrganizationUser } from '@privity/contract/organization'
import { queryClient } from '../../../src/app/queryClient.ts'
import { usersQuery } from '../../../src/features/organization/queries.ts'
import { organizationTexts } from '../../../src/features/organization/texts.ts'
import { roleChange, statusChange } from '../../../src/features/organization/users/userChanges.ts'
import { dismissToast, toasts } from '../../../src/ui/toast/toastStore.ts'
import { identityQuestion } from '../../../src/features/organization/Reauthentication.tsx'

// The toast store is shared by all files of a run.
beforeEach(() => dismissToast())
afterEach(() => {
  queryClient.clear()
  dismissToast()
})

const helen: OrganizationUser = {
  id: 'helen',
  username: 'helen',
  firstName: 'Helen',
  lastName: 'Whitford',
  email: 'helen@example.com',
  role: 'user',
  isActive: true,
  suspended: false,
  createdAt: 1,
  hasSecondFactor: false,
}
const list = { search: '', sorting: { by: 'name', descending: false } } as const
const key = usersQuery({ organization: {} } as never, list, undefined).queryKey
const shownRole = () => queryClient.getQueryData<{ users: OrganizationUser[] }>(key)?.users[0]?.role
const know = () => queryClient.setQueryData(key, { users: [helen], next: null, total: 1, more: false })

const asked = () =>
  new Promise<void>((resolve) => {
    const stop = identityQuestion.subscribe(() => {
      if (!identityQuestion.get()) return
      stop()
      resolve()
    })
  })
/** Refuses the call until it is confirmed. */
function guarded() {
  const state = { isConfirmed: false, calls: 0 }
  const setRole = async () => {
    state.calls += 1
    if (!state.isConfirmed) throw new CallError('CONFIRMATION_NEEDED', { status: 403 })
    return { ...helen, role: 'org_admin' as const }
  }
  return {
    state,
    change: new MutationObserver(queryClient, roleChange({ organization: { setRole } as unknown as Organization })),
  }
}

test('asks, and goes on by itself', async () => {
  know()
  const { state, change } = guarded()
  const question = asked()
  const done = change.mutate({ user: helen, role: 'org_admin' })
  await question
  expect(shownRole()).toBe('org_admin')
  expect(toasts.get()).toBeUndefined()
  state.isConfirmed = true
  identityQuestion.answer(true)
  await done
  expect(state.calls).toBe(2)
  expect(toasts.get()).toMatchObject({ title: 'Role Updated' })
  expect(identityQuestion.get()).toBe(false)
})

test('asks before an account is activated again, and goes on by itself', async () => {
  know()
  let [isConfirmed, calls] = [false, 0]
  const setActive = async () => {
    calls += 1
    if (!isConfirmed) throw new CallError('CONFIRMATION_NEEDED', { status: 403 })
    return helen
  }
  const organization = { setActive } as unknown as Organization
  const question = asked()
  const done = new MutationObserver(queryClient, statusChange({ organization })).mutate({ user: helen, isActive: true })
  await question
  isConfirmed = true
  identityQuestion.answer(true)
  await done
  expect(calls).toBe(2)
  expect(toasts.get()).toMatchObject({ title: 'User Activated' })
})

test('takes it back where it is not confirmed, and says so', async () => {
  know()
  const { state, change } = guarded()
  const question = asked()
  const done = change.mutate({ user: helen, role: 'org_admin' })
  await question
  identityQuestion.answer(false)
  await expect(done).rejects.toThrow()
  expect(state.calls).toBe(1)
  expect(shownRole()).toBe('user')
  expect(toasts.get()).toMatchObject({
    title: 'Role Change Failed',
    description: organizationTexts.identity.cancelled,
    tone: 'destructive',
  })
})

test('asks once for several, and does not ask again about what is refused after it', async () => {
  know()
  const [one, other] = [guarded(), guarded()]
  const question = asked()
  const done = one.change.mutate({ user: helen, role: 'org_admin' })
  await question
  const second = other.change.mutate({ user: helen, role: 'org_admin' })
  await expect.poll(() => other.state.calls).toBe(1)
  one.state.isConfirmed = true
  identityQuestion.answer(true)
  await done
  await expect(second).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' })
  expect([one.state.calls, other.state.calls]).toEqual([2, 2])
  expect(identityQuestion.get()).toBe(false)
})
