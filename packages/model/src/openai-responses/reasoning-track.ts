import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import { decodeItem } from './decode-item.ts';
import { eventReader, type ItemTrack, indexOf, restOf, type TrackContext } from './item-track.ts';

/** Follows a thought: its summaries, its text where the provider gives it, and the encrypted form at the end. */
export function trackReasoning(
  { writer, items }: TrackContext,
  item: JsonObject,
  pointer: string,
): ItemTrack {
  const index = writer.reserve();
  const id = textOf(item, 'id');
  const summaries: string[] = [];
  const contents: string[] = [];
  writer.openText('reasoning', index, id === undefined ? {} : { itemId: id });

  const summarise = (position: number, text: string): void => {
    // A summary cannot come before the one before it began.
    const at = Math.min(position, summaries.length);
    summaries[at] = (summaries[at] ?? '') + text;
    writer.text(index, text, at);
  };
  const think = (position: number, text: string): void => {
    const at = Math.min(position, contents.length);
    contents[at] = (contents[at] ?? '') + text;
    writer.text(index, text);
  };

  return {
    take(type, event) {
      const summary = indexOf(memberOf(event, 'summary_index'));
      const content = indexOf(memberOf(event, 'content_index'));
      switch (type) {
        case 'response.reasoning_summary_text.delta':
          summarise(summary, eventReader.string(memberOf(event, 'delta'), '/delta'));
          break;
        case 'response.reasoning_summary_text.done':
          summarise(
            summary,
            restOf(summaries[summary] ?? '', textOf(event, 'text') ?? summaries[summary] ?? ''),
          );
          break;
        case 'response.reasoning_text.delta':
          think(content, eventReader.string(memberOf(event, 'delta'), '/delta'));
          break;
        case 'response.reasoning_text.done':
          think(content, restOf(contents[content] ?? '', textOf(event, 'text') ?? contents[content] ?? ''));
          break;
        default:
      }
    },
    finish(final) {
      textsOf(memberOf(final, 'summary')).forEach((text, at) => {
        summarise(at, restOf(summaries[at] ?? '', text));
      });
      textsOf(memberOf(final, 'content')).forEach((text, at) => {
        think(at, restOf(contents[at] ?? '', text));
      });
      const whole = decodeItem(items(), final, pointer);
      if (whole.kind === 'reasoning')
        writer.closeText(index, { opaque: whole.opaque, extensions: whole.extensions });
    },
  };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(value)) return [];
  return value.map((part) => (isJsonObject(part) ? (textOf(part, 'text') ?? '') : ''));
}
