import { type ReactNode, type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import type { Client, DecryptedMessage } from '@privity/client'
import type { FileStatus } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { viewerTexts as texts } from './texts.ts'

interface ThumbnailProps {
  client: Client
  message: DecryptedMessage
  name: string
  /** Opens the thumbnail of a received file. */
  grant?: FileStatus['grant']
  /** Shown until there is a picture, and instead of one that does not open. */
  tile: ReactNode
}

/** The picture is held in memory while it is shown, and nowhere else. */
export function Thumbnail({ client, message, name, grant, tile }: ThumbnailProps) {
  const [url, setUrl] = useState<string>()
  const [isShown, setShown] = useState(false)
  const open = useEffectEvent(() => client.files.thumbnail(message, grant))
  const grantId = grant?.signature

  useEffect(() => {
    let opened: string | undefined
    let isOver = false
    async function show() {
      const picture = await open()
      if (!picture || isOver) return
      opened = URL.createObjectURL(picture)
      setUrl(opened)
    }
    // Without it the row is as that of any other file.
    show().catch(() => {})
    return () => {
      isOver = true
      if (opened !== undefined) URL.revokeObjectURL(opened)
      setUrl(undefined)
      setShown(false)
    }
  }, [client, message.id, grantId])

  // The client has refused a picture that declares a larger side; a decoder may find another one.
  const loaded = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) =>
    setShown(Math.max(currentTarget.naturalWidth, currentTarget.naturalHeight) <= limits.thumbnailSide)
  return (
    <>
      {!isShown && tile}
      {url !== undefined && (
        <img src={url} alt={texts.thumbnail(name)} hidden={!isShown} draggable={false} onLoad={loaded} />
      )}
    </>
  )
}
