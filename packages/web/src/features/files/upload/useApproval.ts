import { useState } from 'react'
import { usePreferencesLoad } from '../../../app/preferences/preferences.ts'

/** Whether files of a conversation are approved for the recipient as they are sent. */
export interface Approval {
  firstName: string
  isOn: boolean
  set: (isOn: boolean) => void
}

/** The member's default until it is changed, which applies until another conversation is opened. */
export function useApproval(connectionId: string, firstName: string): Approval {
  const byDefault = usePreferencesLoad().data?.preferences.approveAtSending === true
  const [choice, setChoice] = useState<{ connectionId: string; isOn: boolean }>()
  if (choice && choice.connectionId !== connectionId) setChoice(undefined)
  return {
    firstName,
    isOn: choice?.connectionId === connectionId ? choice.isOn : byDefault,
    set: (isOn) => setChoice({ connectionId, isOn }),
  }
}
