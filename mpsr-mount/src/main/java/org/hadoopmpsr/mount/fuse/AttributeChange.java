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
package org.hadoopmpsr.mount.fuse;

import org.jspecify.annotations.Nullable;

/**
 * The attributes that a program wants changed; null for those that stay.
 *
 * @param handle of the open file; 0 if there is none
 * @param size the new length
 * @param mode the new rights
 * @param user the number of the new owner
 * @param group the number of the new group
 * @param accessTimeMs since 1970
 * @param modificationTimeMs since 1970
 */
public record AttributeChange(
        long handle,
        @Nullable Long size,
        @Nullable Integer mode,
        @Nullable Integer user,
        @Nullable Integer group,
        @Nullable Long accessTimeMs,
        @Nullable Long modificationTimeMs) {

    private static final int MODE = 1;
    private static final int USER = 1 << 1;
    private static final int GROUP = 1 << 2;
    private static final int SIZE = 1 << 3;
    private static final int ACCESS_TIME = 1 << 4;
    private static final int MODIFICATION_TIME = 1 << 5;
    private static final int HANDLE = 1 << 6;
    private static final int ACCESS_NOW = 1 << 7;
    private static final int MODIFICATION_NOW = 1 << 8;

    static AttributeChange read(Request request, long nowMs) throws ErrnoException {
        int valid = request.u32();
        request.skip(4);
        long handle = request.u64();
        long size = request.u64();
        request.skip(8);
        long accessSeconds = request.u64();
        long modificationSeconds = request.u64();
        request.skip(8);
        int accessNs = request.u32();
        int modificationNs = request.u32();
        request.skip(4);
        int mode = request.u32();
        request.skip(4);
        int user = request.u32();
        int group = request.u32();
        return new AttributeChange(
                has(valid, HANDLE) ? handle : 0,
                has(valid, SIZE) ? (Long) size : null,
                has(valid, MODE) ? (Integer) mode : null,
                has(valid, USER) ? (Integer) user : null,
                has(valid, GROUP) ? (Integer) group : null,
                time(has(valid, ACCESS_TIME), has(valid, ACCESS_NOW), accessSeconds, accessNs, nowMs),
                time(
                        has(valid, MODIFICATION_TIME),
                        has(valid, MODIFICATION_NOW),
                        modificationSeconds,
                        modificationNs,
                        nowMs));
    }

    private static boolean has(int valid, int bit) {
        return (valid & bit) != 0;
    }

    private static @Nullable Long time(boolean set, boolean now, long seconds, int ns, long nowMs) {
        return !set ? null : now ? nowMs : (Long) (seconds * 1000 + ns / 1_000_000);
    }
}
