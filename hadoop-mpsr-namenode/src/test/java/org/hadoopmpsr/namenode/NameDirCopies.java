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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/** The name directory of a NameNode that was stopped, and copies of it that end where a crash could have ended it. */
public final class NameDirCopies {
    private final Path nameDir;
    private final Path lastSegment;
    private final List<Transaction> transactions = new ArrayList<>();

    /**
     * A transaction of the last segment of the edit log.
     *
     * @param end where the next one begins in the file
     */
    public record Transaction(long id, String operation, long end) {}

    public NameDirCopies(Path nameDir) throws IOException {
        this.nameDir = nameDir;
        try (Stream<Path> files = Files.list(nameDir.resolve("current"))) {
            lastSegment = files.filter(f -> f.getFileName().toString().matches("edits_\\d+-\\d+"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
        String[] range = lastSegment.getFileName().toString().split("[_-]");
        try (EditLogFileInputStream log = new EditLogFileInputStream(
                lastSegment.toFile(), Long.parseLong(range[1]), Long.parseLong(range[2]), false)) {
            for (FSEditLogOp op = log.readOp(); op != null; op = log.readOp()) {
                transactions.add(new Transaction(op.getTransactionId(), op.opCode.name(), log.getPosition()));
            }
        }
    }

    /** The transactions with an id from first to last. */
    public List<Transaction> transactions(long first, long last) {
        List<Transaction> range = transactions.stream()
                .filter(t -> t.id() >= first && t.id() <= last)
                .toList();
        assertThat(range).as("transactions %d to %d", first, last).hasSize((int) (last - first + 1));
        return range;
    }

    /** What a crash leaves that happens when this transaction is in the log, and the next one is not. */
    public Path endingWith(Transaction last) throws IOException {
        File copy = new File(nameDir.getParent().toFile(), "crashed-" + last.id() + "/name");
        FileUtils.copyDirectory(nameDir.toFile(), copy);
        File current = new File(copy, "current");
        String name = lastSegment.getFileName().toString();
        File open = new File(current, "edits_inprogress_" + name.substring("edits_".length(), name.indexOf('-')));
        FileUtils.moveFile(new File(current, name), open);
        try (RandomAccessFile file = new RandomAccessFile(open, "rw")) {
            file.setLength(last.end());
        }
        return copy.toPath();
    }
}
