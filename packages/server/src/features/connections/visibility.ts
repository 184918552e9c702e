import type { Preferences } from '@privity/contract/preferences'
import type { Reader } from '../../core/database/types.ts'
import { preferencesOfEach } from '../preferences/preferences.ts'

/** The preferences that decide how contacts see a member. */
export type Visibility = Pick<Preferences, 'readReceipts' | 'onlineStatus' | 'profileVisibility'>

/** The parts of a member that one viewer may see. */
export interface VisibleParts {
  /** Whether the member has read the viewer's messages. */
  reads: boolean
  online: boolean
  /** Email address and username. */
  profile: boolean
}

/** Read receipts and presence are mutual: members who hide their own do not see those of their contacts. */
function visiblePartsOf(member: Visibility, viewer: Visibility): VisibleParts {
  return {
    reads: member.readReceipts && viewer.readReceipts,
    online: member.onlineStatus && viewer.onlineStatus,
    profile: member.profileVisibility,
  }
}

const everything: VisibleParts = { reads: true, online: true, profile: true }

/**
 * Loads who of these users may see what of whom at this moment. Call it last, and use the result before awaiting
 * anything else. `as` replaces the member's stored preferences.
 */
export async function loadVisibility(
  db: Reader,
  userIds: readonly string[],
): Promise<(memberId: string, viewerId: string, as?: Visibility) => VisibleParts> {
  const preferences: ReadonlyMap<string, Visibility> = await preferencesOfEach(db, userIds)
  return (memberId, viewerId, as = preferences.get(memberId)) => {
    const [member, viewer] = [as, preferences.get(viewerId)]
    if (memberId === viewerId) return everything
    if (member === undefined || viewer === undefined) throw new Error('visibility was not loaded for this user')
    return visiblePartsOf(member, viewer)
  }
}

/** Whether these two see each other's read receipts. */
export async function areReadReceiptsShared(db: Reader, one: string, other: string): Promise<boolean> {
  return (await loadVisibility(db, [one, other]))(one, other).reads
}
