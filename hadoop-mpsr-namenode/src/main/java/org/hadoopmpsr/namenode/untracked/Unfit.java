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
package org.hadoopmpsr.namenode.untracked;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Why a file cannot be adopted as it is, kept with the file as {@link Attributes#UNFIT}: the file's state in 16 hexadecimal digits, a
 * blank, and the reason.
 */
final class Unfit {
    private static final int DIGITS = 16;
    private static final int MOST = 400;

    private Unfit() {}

    static byte[] encode(long state, String reason) {
        String text = PrintableText.ofMessage(reason);
        String cut = text.substring(0, Math.min(MOST, text.length()));
        return String.format("%016x %s", state, cut).getBytes(StandardCharsets.UTF_8);
    }

    /** The reason, if it is known and the file has not changed since; else null. Needs the read lock. */
    static @Nullable String of(INodeFile file) {
        byte[] value = Attributes.get(file, Attributes.UNFIT);
        if (value == null || value.length <= DIGITS) {
            return null;
        }
        String text = new String(value, StandardCharsets.UTF_8);
        try {
            return Long.parseUnsignedLong(text, 0, DIGITS, 16) == StoredStatistics.stateOf(file)
                    ? text.substring(DIGITS + 1)
                    : null;
        } catch (NumberFormatException e) {
            return null; // a newer MPSR wrote it, or it is damaged: the file is tried again
        }
    }
}
