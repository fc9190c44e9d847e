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
package org.hadoopmpsr.mapreduce.task;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.io.Text;

/** What a plan says of a file that a map reads a part of. Immutable. */
public final class PlannedFile {
    private final URI dataset;
    private final String group;
    private final long length;
    private final long modificationTime;

    /**
     * Makes it.
     *
     * @param dataset the dataset directory, with its file system
     * @param group the group whose file it is
     * @param length in bytes
     * @param modificationTime in milliseconds since the epoch
     */
    public PlannedFile(URI dataset, String group, long length, long modificationTime) {
        this.dataset = dataset;
        this.group = group;
        this.length = length;
        this.modificationTime = modificationTime;
    }

    /** The dataset directory, with its file system. */
    public URI dataset() {
        return dataset;
    }

    /** The group whose file it is. */
    public String group() {
        return group;
    }

    /** In bytes. */
    public long length() {
        return length;
    }

    /** In milliseconds since the epoch. */
    public long modificationTime() {
        return modificationTime;
    }

    void write(DataOutput out) throws IOException {
        Text.writeString(out, dataset.toString());
        Text.writeString(out, group);
        out.writeLong(length);
        out.writeLong(modificationTime);
    }

    static PlannedFile read(DataInput in) throws IOException {
        return new PlannedFile(URI.create(Text.readString(in)), Text.readString(in), in.readLong(), in.readLong());
    }
}
