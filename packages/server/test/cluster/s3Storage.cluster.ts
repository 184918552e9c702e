import { openOwnS3 } from '../harnessS3.ts'
import { testStorage } from '../storageCases.ts'

testStorage('an S3 bucket', () => openOwnS3())
