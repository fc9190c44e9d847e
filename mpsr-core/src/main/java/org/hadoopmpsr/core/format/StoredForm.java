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
package org.hadoopmpsr.core.format;

/**
 * A form in which MPSR keeps something in the namespace, with the latest version that this MPSR writes. {@code
 * docs/format.md} specifies each form. A reader accepts version 1 up to that version, and refuses every other version.
 */
public enum StoredForm {
    /**
     * A dataset's definition, and the layout of the dataset's directory in the store. With version 2 there are records of
     * segments, and replaced files; a dataset gets it with its first rewrite. With version 3 there are these too, or will
     * be, and columns of types that versions before do not know; with version 4 also columns of nested types; with version 5
     * its groups were altered; with version 6 a column, or a field of a struct, has a name that is not plain; with version 7
     * readers see other columns than files have; with version 8 a group is partitioned or sorted by a value within a column;
     * with version 9 a group has a codec for some columns, or a level of gzip, or is partitioned by bits of numbers; with version 10 a group is sorted by them; with version 11 a group holds a column in a transform; with version 12 a group has the codec auto or is lossy.
     *
     * @see DatasetVersion
     */
    DATASET("dataset definition", 12),
    /** The statistics of a published file. */
    FILE("file statistics", 1),
    /**
     * A commit between its staging and its last move. Version 2 is that of a rebuild, 3 of an acceptance, 4 of a delete, 5 of an adoption, 6
     * of a rollback, 7 of an overwrite.
     */
    COMMIT("commit record", 7),
    /** The fact that a dataset was dropped. */
    DROP("drop record", 1),
    /** The fact that somebody has deleted a dataset directory. */
    LEFT("record of a deleted dataset directory", 1),
    /** What the groups of a dataset were given by all commits. */
    COMMITTED("committed content", 2),
    /** A segment. */
    SEGMENT("segment record", 1),
    /** Who maintains the cluster. */
    LEASE("maintenance lease", 1),
    /** The last runs of the maintenance tasks in a dataset. */
    MAINTENANCE("maintenance record", 1),
    /** What is kept of the earlier states of a dataset. */
    HISTORY("history record", 1);

    private final String title;
    private final int version;

    StoredForm(String title, int version) {
        this.title = title;
        this.version = version;
    }

    /** The name of the form, for messages. */
    public String title() {
        return title;
    }

    /** The latest version that is written, and the greatest one that is read. */
    public int version() {
        return version;
    }

    /**
     * Checks the version of a stored record.
     *
     * @param found the version in the record, as an unsigned number
     * @param path the path of what the record belongs to
     * @throws UnknownVersionException when this MPSR does not read that version
     */
    public void check(int found, String path) {
        if (found < 1 || found > version) {
            String known = version == 1 ? "version 1" : "versions 1 to " + version;
            throw new UnknownVersionException("cannot read the " + title + " of '" + path + "': it has format version "
                    + Integer.toUnsignedString(found) + ", and this MPSR reads " + known
                    + "; a newer MPSR wrote it: run that version, or a later one, on every NameNode");
        }
    }
}
