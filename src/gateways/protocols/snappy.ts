import { uncompressSync } from 'snappy';
import { ProtobufReader } from './protobuf';
import { MessageTooLarge, UnreadableMessage } from './unreadable';

/** No block is shorter than its content by more: the best that three bytes can do is to copy 64. */
const MAX_RATIO = 22;

/**
 * Uncompresses a snappy block (the format without frames). Reserves memory only after it has checked the length that
 * the block begins with.
 * @throws MessageTooLarge if the content has more than `maxBytes`
 * @throws UnreadableMessage if this is no snappy block
 */
export function uncompressBlock(block: Uint8Array, maxBytes: number): Buffer {
  const length = new ProtobufReader(block).varint();
  if (length > maxBytes) {
    throw new MessageTooLarge(`the body has ${length} bytes when uncompressed; at most ${maxBytes} are read`);
  }
  if (length > block.length * MAX_RATIO) {
    throw new UnreadableMessage('the body is not a snappy block: it is too short for the length that it begins with');
  }
  try {
    const content = uncompressSync(block, { asBuffer: true });
    return typeof content === 'string' ? Buffer.from(content) : content;
  } catch {
    throw new UnreadableMessage('the body is not a snappy block');
  }
}
