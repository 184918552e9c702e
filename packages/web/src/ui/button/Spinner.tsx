import { LoaderCircle } from 'lucide-react'
import { classes } from '../classes.ts'

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={classes('ic', 'spin', className)} />
}
