/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.rebuild;

/**
 * How what is still to be rebuilt becomes less. Immutable.
 *
 * @param sinceMs the last look before it became less, in milliseconds
 * @param mostBytes what was to be rebuilt then
 * @param lookedMs the last look, in milliseconds
 * @param bytes what is to be rebuilt since then
 */
public record RedundancyTrend(long sinceMs, long mostBytes, long lookedMs, long bytes) {
    /** Nothing is to be rebuilt. */
    public static final RedundancyTrend NONE = new RedundancyTrend(0, 0, 0, 0);

    /**
     * This after one more look. Where more is lost, what was rebuilt before says nothing about what is to come.
     *
     * @param nowMs when it was, in milliseconds
     * @param nowBytes what is to be rebuilt
     */
    public RedundancyTrend next(long nowMs, long nowBytes) {
        return nowBytes > bytes || nowBytes == mostBytes
                ? new RedundancyTrend(nowMs, nowBytes, nowMs, nowBytes)
                : new RedundancyTrend(sinceMs, mostBytes, nowMs, nowBytes);
    }

    /** How long it takes from the last look until all is rebuilt, at the pace so far, in seconds; -1 if there was none yet. */
    public long leftSeconds() {
        if (bytes == 0) {
            return 0;
        }
        return bytes == mostBytes ? -1 : (long) Math.ceil((lookedMs - sinceMs) / 1_000.0 * bytes / (mostBytes - bytes));
    }
}
