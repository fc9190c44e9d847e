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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** A split of the new API that knows what was planned. */
public final class PlannedSplit extends FileSplit {
    private PlannedFile planned;

    /** Hadoop makes it, and then reads the fields. */
    @SuppressWarnings("NullAway.Init")
    public PlannedSplit() {}

    public PlannedSplit(Path path, long start, long length, String[] hosts, PlannedFile planned) {
        super(path, start, length, hosts);
        this.planned = planned;
    }

    /** What the plan says of the file. */
    public PlannedFile planned() {
        return planned;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        super.write(out);
        planned.write(out);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        super.readFields(in);
        planned = PlannedFile.read(in);
    }
}
