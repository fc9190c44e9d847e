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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The layouts are those of {@code include/uapi/linux/fuse.h}. */
class DispatcherTest {
    private final FakeOperations operations = new FakeOperations(100);
    private final Dispatcher dispatcher =
            new Dispatcher(operations, failure -> failure instanceof FileNotFoundException ? Errno.ENOENT : Errno.EIO);
    private final ByteBuffer out = Dispatcher.answerBuffer();

    /** The body of a good answer. */
    private ByteBuffer served(RequestBytes request) throws ErrnoException {
        assertThat(error(request)).isZero();
        out.position(16);
        return out;
    }

    /** The error of an answer. */
    private int error(RequestBytes request) throws ErrnoException {
        dispatcher.serve(request.request(), true, out);
        assertThat(out.getInt(0)).isEqualTo(out.limit());
        assertThat(out.getLong(8)).isEqualTo(7);
        int error = -out.getInt(4);
        assertThat(error == 0 || out.limit() == 16).isTrue();
        return error;
    }

    @Test
    void kernelAndServerAgree() throws Exception {
        ByteBuffer body = served(RequestBytes.of(Opcode.INIT, 0).u32(7, 36, 131_072, -1, 0, 0));
        assertThat(body.remaining()).isEqualTo(64);
        assertThat(body.getInt()).isEqualTo(7);
        assertThat(body.getInt()).isEqualTo(31);
        body.getInt();
        assertThat(body.getInt()).isEqualTo(Handshake.FLAGS);
        assertThat((int) body.getShort()).isPositive();
        assertThat((int) body.getShort()).isPositive();
        assertThat(body.getInt()).isEqualTo(1 << 20);
        assertThat(body.getInt()).isEqualTo(1_000_000);
        assertThat(body.getShort() * 4096).isEqualTo(1 << 20);
    }

    @Test
    void nothingIsAskedOfAKernelThatItDoesNotOffer() throws Exception {
        ByteBuffer body = served(RequestBytes.of(Opcode.INIT, 0).u32(7, 23, 131_072, 1));
        assertThat(body.getInt(16 + 12)).isEqualTo(1);
        assertThat(body.getShort(16 + 28)).isZero();
        assertThat(error(RequestBytes.of(Opcode.INIT, 0).u32(7, 22, 131_072, 1)))
                .isEqualTo(Errno.EPROTO.number());
        assertThat(error(RequestBytes.of(Opcode.INIT, 0).u32(7))).isEqualTo(Errno.EINVAL.number());
        assertThat(served(RequestBytes.of(Opcode.INIT, 0).u32(8, 1, 0, -1)).getInt())
                .isEqualTo(7);
    }

    @Test
    void anEntryHasNodeTimesAndAttributes() throws Exception {
        ByteBuffer body = served(RequestBytes.of(Opcode.LOOKUP, 3).name("f4"));
        assertThat(operations.calls).containsExactly("lookup 3 f4");
        assertThat(body.remaining()).isEqualTo(128);
        assertThat(body.getLong()).isEqualTo(14);
        body.getLong();
        assertThat(body.getLong()).isEqualTo(1);
        assertThat(body.getLong()).isEqualTo(1);
        body.getLong();
        attributes(body, 14);
    }

    private static void attributes(ByteBuffer body, long inode) {
        assertThat(body.getLong()).isEqualTo(inode);
        assertThat(body.getLong()).isEqualTo(10);
        assertThat(body.getLong()).isEqualTo(1);
        assertThat(body.getLong()).isEqualTo(1);
        assertThat(body.getLong()).as("a millisecond before 1970").isEqualTo(-1);
        assertThat(body.getLong()).isEqualTo(-1);
        assertThat(body.getInt()).isEqualTo(1_000_000);
        assertThat(body.getInt()).isEqualTo(999_000_000);
        assertThat(body.getInt()).isEqualTo(999_000_000);
        assertThat(body.getInt()).isEqualTo(0100640);
        assertThat(body.getInt()).isEqualTo(1);
        assertThat(body.getInt()).isEqualTo(11);
        assertThat(body.getInt()).isEqualTo(12);
        assertThat(body.getInt()).isZero();
        assertThat(body.getInt()).isEqualTo(4096);
        body.getInt();
    }

    @Test
    void attributesAreAskedOfAHandleOnlyIfItIsSaid() throws Exception {
        ByteBuffer body = served(RequestBytes.of(Opcode.GETATTR, 3).u32(0, 0).u64(99));
        assertThat(body.remaining()).isEqualTo(104);
        assertThat(body.getLong()).isEqualTo(1);
        body.getLong();
        attributes(body, 3);
        served(RequestBytes.of(Opcode.GETATTR, 3).u32(1, 0).u64(99));
        assertThat(operations.calls).containsExactly("attributes 3 0", "attributes 3 99");
    }

    @Test
    void whatIsToBeChangedIsToldAndNoMore() throws Exception {
        served(change(0));
        served(change(1 | 2 | 4 | 8 | 16 | 32 | 64));
        assertThat(operations.calls)
                .containsExactly(
                        "change 3 " + new AttributeChange(0, null, null, null, null, null, null),
                        "change 3 " + new AttributeChange(9, 100L, 0644, 21, 22, 31_001L, 41_002L));
        operations.calls.clear();
        long before = System.currentTimeMillis();
        served(change(16 | 32 | 128 | 256));
        assertThat(operations.calls).hasSize(1);
        assertThat(operations.calls.get(0))
                .contains("accessTimeMs=" + String.valueOf(before).substring(0, 6));
    }

    private static RequestBytes change(int valid) {
        return RequestBytes.of(Opcode.SETATTR, 3)
                .u32(valid, 0)
                .u64(9)
                .u64(100)
                .u64(0)
                .u64(31)
                .u64(41)
                .u64(0)
                .u32(1_000_000, 2_000_000, 0, 0644, 0, 21, 22, 0);
    }

    @Test
    void namesAreMadeAndMovedAndDeleted() throws Exception {
        assertThat(served(RequestBytes.of(Opcode.MKDIR, 3).u32(0750, 022).name("d"))
                        .remaining())
                .isEqualTo(128);
        served(RequestBytes.of(Opcode.MKNOD, 3).u32(0100640, 0, 022, 0).name("m"));
        served(RequestBytes.of(Opcode.UNLINK, 3).name("u"));
        served(RequestBytes.of(Opcode.RMDIR, 3).name("r"));
        served(RequestBytes.of(Opcode.RENAME, 3).u64(4).name("a").name("b"));
        served(RequestBytes.of(Opcode.RENAME2, 3).u64(4).u32(1, 0).name("a").name("b"));
        ByteBuffer created = served(
                RequestBytes.of(Opcode.CREATE, 3).u32(0101, 0100640, 022, 0).name("c"));
        assertThat(created.remaining()).isEqualTo(144);
        assertThat(created.getLong(16 + 128)).isEqualTo(6);
        assertThat(operations.calls)
                .containsExactly(
                        "makeDirectory 3 d 750",
                        "makeFile 3 m 100640",
                        "unlink 3 u",
                        "removeDirectory 3 r",
                        "rename 3 a 4 b true",
                        "rename 3 a 4 b false",
                        "create 3 c 100640 65");
        operations.calls.clear();
        assertThat(error(RequestBytes.of(Opcode.RENAME2, 3)
                        .u64(4)
                        .u32(2, 0)
                        .name("a")
                        .name("b")))
                .isEqualTo(Errno.EINVAL.number());
        assertThat(error(RequestBytes.of(Opcode.MKNOD, 3).u32(0020640, 0, 0, 0).name("m")))
                .isEqualTo(Errno.EPERM.number());
        assertThat(error(RequestBytes.of(Opcode.SYMLINK, 3).name("a").name("b")))
                .isEqualTo(Errno.EPERM.number());
        assertThat(operations.calls).isEmpty();
    }

    @Test
    void bytesAreReadAndWritten() throws Exception {
        ByteBuffer opened = served(RequestBytes.of(Opcode.OPEN, 3).u32(2, 0));
        assertThat(opened.remaining()).isEqualTo(16);
        assertThat(opened.getLong()).isEqualTo(5);
        assertThat(opened.getInt()).isEqualTo(2);
        assertThat(text(served(read(2, 4)))).isEqualTo("2345");
        assertThat(text(served(read(8, 4)))).isEqualTo("89");
        assertThat(served(read(10, 4)).remaining()).isZero();
        assertThat(text(served(read(0, Integer.MAX_VALUE)))).isEqualTo("0123456789");
        ByteBuffer written = served(RequestBytes.of(Opcode.WRITE, 3)
                .u64(5)
                .u64(30)
                .u32(3, 0)
                .u64(0)
                .u32(0, 0)
                .raw("xyz".getBytes(StandardCharsets.UTF_8)));
        assertThat(written.remaining()).isEqualTo(8);
        assertThat(written.getInt()).isEqualTo(3);
        served(RequestBytes.of(Opcode.FLUSH, 3).u64(5).u32(0, 0).u64(0));
        served(RequestBytes.of(Opcode.FSYNC, 3).u64(5).u32(0, 0));
        served(RequestBytes.of(Opcode.RELEASE, 3).u64(5).u32(0, 0).u64(0));
        assertThat(operations.calls)
                .containsExactly(
                        "open 3 2",
                        "read 5 2 4 true",
                        "read 5 8 4 true",
                        "read 5 10 4 true",
                        "read 5 0 1048576 true",
                        "write 5 30 xyz",
                        "flush 5",
                        "sync 5",
                        "release 5");
        assertThat(error(read(-1, 4))).isEqualTo(Errno.EINVAL.number());
        assertThat(error(read(0, -4))).isEqualTo(Errno.EINVAL.number());
    }

    private static RequestBytes read(long offset, int size) {
        return RequestBytes.of(Opcode.READ, 3)
                .u64(5)
                .u64(offset)
                .u32(size, 0)
                .u64(0)
                .u32(0, 0);
    }

    private static String text(ByteBuffer body) {
        return StandardCharsets.UTF_8.decode(body).toString();
    }

    @Test
    void listsHaveWhatFits() throws Exception {
        for (int opcode : new int[] {Opcode.READDIR, Opcode.READDIRPLUS}) {
            for (int size = 200; size < 3_000; size += 13) {
                List<String> names = new ArrayList<>();
                long from = 0;
                while (names.size() < operations.files) {
                    ByteBuffer body = served(RequestBytes.of(opcode, 3)
                            .u64(8)
                            .u64(from)
                            .u32(size, 0)
                            .u64(0)
                            .u32(0, 0));
                    assertThat(body.remaining()).isLessThanOrEqualTo(size).isPositive();
                    from = entries(body, opcode == Opcode.READDIRPLUS, names);
                }
                assertThat(names)
                        .hasSize(100)
                        .startsWith("f0", "f1")
                        .endsWith("f99")
                        .doesNotHaveDuplicates();
            }
        }
        ByteBuffer end = served(RequestBytes.of(Opcode.READDIR, 3)
                .u64(8)
                .u64(100)
                .u32(4096, 0)
                .u64(0)
                .u32(0, 0));
        assertThat(end.remaining()).isZero();
    }

    private static long entries(ByteBuffer body, boolean plus, List<String> names) {
        long next = 0;
        while (body.hasRemaining()) {
            if (plus) {
                int at = body.position();
                assertThat(body.getLong()).isEqualTo(10 + names.size());
                body.position(at + 40);
                attributes(body, 10 + names.size());
            }
            assertThat(body.getLong()).isEqualTo(10 + names.size());
            next = body.getLong();
            byte[] name = new byte[body.getInt()];
            assertThat(body.getInt()).as("a file").isEqualTo(8);
            body.get(name);
            names.add(new String(name, StandardCharsets.UTF_8));
            body.position((body.position() - 16 + 7) / 8 * 8 + 16);
        }
        return next;
    }

    @Test
    void valuesOfAttributesComeWithTheirLengthFirst() throws Exception {
        operations.attribute = "value".getBytes(StandardCharsets.UTF_8);
        RequestBytes length = RequestBytes.of(Opcode.GETXATTR, 3).u32(0, 0).name("user.x");
        ByteBuffer body = served(length);
        assertThat(body.remaining()).isEqualTo(8);
        assertThat(body.getInt()).isEqualTo(5);
        assertThat(text(served(RequestBytes.of(Opcode.GETXATTR, 3).u32(5, 0).name("user.x"))))
                .isEqualTo("value");
        assertThat(error(RequestBytes.of(Opcode.GETXATTR, 3).u32(4, 0).name("user.x")))
                .isEqualTo(Errno.ERANGE.number());
        assertThat(text(served(RequestBytes.of(Opcode.LISTXATTR, 3).u32(100, 0))))
                .isEqualTo("user.a\0user.b\0");
        operations.attribute = new byte[65_537];
        assertThat(error(RequestBytes.of(Opcode.GETXATTR, 3).u32(0, 0).name("user.x")))
                .isEqualTo(Errno.E2BIG.number());
        served(RequestBytes.of(Opcode.SETXATTR, 3).u32(3, 1).name("user.x").raw(new byte[3]));
        served(RequestBytes.of(Opcode.REMOVEXATTR, 3).name("user.x"));
        assertThat(operations.calls).endsWith("set 3 user.x 3 1", "remove 3 user.x");
        assertThat(error(RequestBytes.of(Opcode.SETXATTR, 3).u32(-1, 1).name("user.x")))
                .isEqualTo(Errno.EINVAL.number());
        assertThat(error(RequestBytes.of(Opcode.SETXATTR, 3).u32(1 << 30, 1).name("user.x")))
                .isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void whatIsForgottenGetsNoAnswer() throws Exception {
        dispatcher.serve(RequestBytes.of(Opcode.FORGET, 3).u64(2).request(), false, out);
        assertThat(out.remaining()).isZero();
        dispatcher.serve(
                RequestBytes.of(Opcode.BATCH_FORGET, 0)
                        .u32(2, 0)
                        .u64(4)
                        .u64(1)
                        .u64(5)
                        .u64(6)
                        .request(),
                false,
                out);
        assertThat(out.remaining()).isZero();
        dispatcher.serve(
                RequestBytes.of(Opcode.BATCH_FORGET, 0)
                        .u32(1_000_000, 0)
                        .u64(7)
                        .u64(1)
                        .request(),
                false,
                out);
        assertThat(out.remaining()).isZero();
        assertThat(operations.calls).containsExactly("forget 3 2", "forget 4 1", "forget 5 6", "forget 7 1");
    }

    @Test
    void failuresBecomeNumbers() throws Exception {
        assertThat(error(RequestBytes.of(Opcode.LOOKUP, 3).name("x"))).isEqualTo(Errno.ENOENT.number());
        assertThat(error(RequestBytes.of(Opcode.ACCESS, 3).u32(2, 0))).isEqualTo(Errno.EROFS.number());
        assertThat(error(RequestBytes.of(Opcode.ACCESS, 3).u32(1, 0))).isEqualTo(Errno.EIO.number());
        assertThat(error(RequestBytes.of(39, 3))).isEqualTo(Errno.ENOSYS.number());
        assertThat(error(RequestBytes.of(Opcode.FALLOCATE, 3))).isEqualTo(Errno.EOPNOTSUPP.number());
    }

    @Test
    void namesMustEndAndBeText() throws Exception {
        assertThat(error(RequestBytes.of(Opcode.LOOKUP, 3).raw("f1".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(Errno.EINVAL.number());
        assertThat(error(RequestBytes.of(Opcode.LOOKUP, 3).raw(new byte[] {'f', (byte) 0xff, 0})))
                .isEqualTo(Errno.ENOENT.number());
        assertThat(error(RequestBytes.of(Opcode.LOOKUP, 3))).isEqualTo(Errno.EINVAL.number());
        assertThat(operations.calls).isEmpty();
    }

    @Test
    void roomIsToldInUnits() throws Exception {
        ByteBuffer body = served(RequestBytes.of(Opcode.STATFS, 3));
        assertThat(body.remaining()).isEqualTo(80);
        assertThat(body.getLong() << 20).isEqualTo(10L << 40);
        assertThat(body.getLong() << 20).isEqualTo(3L << 30);
        assertThat(body.getInt(16 + 40)).isEqualTo(1 << 20);
        assertThat(body.getInt(16 + 44)).isEqualTo(255);
    }

    @Test
    void requestsOfAnotherLengthAreRefused() {
        ByteBuffer bytes = ByteBuffer.allocate(48).order(ByteOrder.nativeOrder());
        bytes.putInt(0, 47);
        assertThatThrownBy(() -> Request.copyOf(bytes))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("47");
        bytes.limit(39);
        assertThatThrownBy(() -> Request.copyOf(bytes)).hasMessageContaining("39 bytes has no header");
    }

    /** Whatever the bytes, there is one answer that the kernel can read, or none where it wants none. */
    @Test
    void malformedRequestsAreAnswered() throws Exception {
        long seed = Long.getLong("mpsr.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            RequestBytes bytes = RequestBytes.of(random.nextInt(55), random.nextInt(20));
            byte[] body = new byte[random.nextInt(random.nextBoolean() ? 24 : 160)];
            random.nextBytes(body);
            for (int at = 0; at < body.length; at++) {
                body[at] = random.nextInt(3) == 0 ? body[at] : 0;
            }
            Request request = bytes.raw(body).request();
            dispatcher.serve(request, random.nextBoolean(), out);
            String replay = "replay with -Dmpsr.seed=" + seed + ", request " + i;
            if (request.isWithoutAnswer()) {
                assertThat(out.remaining()).as(replay).isZero();
            } else {
                assertThat(out.remaining()).as(replay).isEqualTo(out.getInt(0)).isGreaterThanOrEqualTo(16);
                assertThat(-out.getInt(4)).as(replay).isBetween(0, 511);
                assertThat(out.getLong(8)).as(replay).isEqualTo(7);
            }
        }
    }
}
