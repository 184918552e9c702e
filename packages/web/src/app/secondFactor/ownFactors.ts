import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { FactorMethod, SecondFactorState } from '@privity/contract/secondFactor'
import { queryClient } from '../queryClient.ts'
import { useClientEvents } from '../useClientEvents.ts'

const key = ['/api/second-factor']

/** The user's second factors, kept in step across tabs. */
export function useSecondFactor(client: Client) {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: key })
  useClientEvents(client, { second_factor_changed: refresh, resync: refresh })
  return useQuery({ queryKey: key, queryFn: () => client.secondFactor.state() })
}

export const putSecondFactor = (state: SecondFactorState) => queryClient.setQueryData(key, state)

/** Methods that the user can confirm with at this address, the most likely first. */
export function methodsOf({ totp, passkeys, recoveryCodesLeft }: SecondFactorState): FactorMethod[] {
  const methods: FactorMethod[] = []
  if (totp !== null) methods.push('totp')
  if (passkeys.some(({ usable }) => usable)) methods.push('passkey')
  if (recoveryCodesLeft > 0) methods.push('recoveryCode')
  return methods
}

/** Whether the user has passkeys, but none for this address. */
export const arePasskeysElsewhere = ({ passkeys }: SecondFactorState): boolean =>
  passkeys.length > 0 && !passkeys.some(({ usable }) => usable)
