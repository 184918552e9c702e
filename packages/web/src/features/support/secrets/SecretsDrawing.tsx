import { classes } from '../../../ui/classes.ts'
import { secretsTexts as texts } from './texts.ts'

interface BoxProps {
  x: number
  y: number
  width: number
  lines: readonly string[]
  kind?: 'substitute' | 'goal'
}

const lineHeight = 16

function Box({ x, y, width, lines, kind }: BoxProps) {
  const height = 46
  const first = y + height / 2 + 5 - ((lines.length - 1) * lineHeight) / 2
  return (
    <g className={classes('box', kind)}>
      <rect x={x} y={y} width={width} height={height} rx={6} />
      {lines.map((line, place) => (
        <text key={line} x={x + width / 2} y={first + place * lineHeight}>
          {line}
        </text>
      ))}
    </g>
  )
}

/** The parts of signing in with what takes their place, and the two things between contacts. */
export function SecretsDrawing() {
  const { boxes, forgotten, lost } = texts
  return (
    <svg className="secrets-drawing" viewBox="0 0 320 372" role="img" aria-label={texts.drawing}>
      <Box x={1} y={1} width={150} lines={boxes.recoveryKey} kind="substitute" />
      <Box x={169} y={1} width={150} lines={boxes.backupCode} kind="substitute" />
      <path className="dashed" d="M76 47V91M244 47V91" />
      <text className="note" x={84} y={74}>
        {forgotten}
      </text>
      <text className="note" x={252} y={74}>
        {lost}
      </text>
      <Box x={1} y={91} width={150} lines={boxes.password} />
      <text className="plus" x={160} y={120}>
        +
      </text>
      <Box x={169} y={91} width={150} lines={boxes.factor} />
      <path d="M76 137V155H244V137M160 155V176M153 169L160 177L167 169" />
      <Box x={61} y={178} width={198} lines={[boxes.account]} kind="goal" />
      <path className="rule" d="M1 248H319" />
      <Box x={1} y={288} width={74} lines={[boxes.you]} />
      <Box x={245} y={288} width={74} lines={[boxes.contact]} />
      <text x={160} y={286}>
        {boxes.code}
      </text>
      <path d="M75 298H244M237 291L245 298L237 305" />
      <path d="M75 324H245M82 317L75 324L82 331M238 317L245 324L238 331" />
      <text x={160} y={346}>
        {boxes.safetyNumber}
      </text>
    </svg>
  )
}
