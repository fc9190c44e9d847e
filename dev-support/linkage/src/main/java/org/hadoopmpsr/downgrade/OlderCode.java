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
package org.hadoopmpsr.downgrade;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Replaces what code for Java 17 uses by what Java 11 has, where this costs nothing; the rest is found by the linkage. */
final class OlderCode extends MethodVisitor {
    private static final String RECORD = "java/lang/Record";
    private static final String NO_RECORDS = ", and on Java 11 no class is a record: ask for a type of your own";

    private final String method;
    private final @Nullable RecordMethods record;
    private final FunctionHandles functions;

    OlderCode(MethodVisitor next, String method, @Nullable RecordMethods record, FunctionHandles functions) {
        super(Opcodes.ASM9, next);
        this.method = method;
        this.record = record;
        this.functions = functions;
    }

    /** Stream.toList() gives a list over a new array, which cannot be changed and may hold null. */
    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (owner.equals("java/util/stream/Stream") && name.equals("toList")) {
            super.visitMethodInsn(opcode, owner, "toArray", "()[Ljava/lang/Object;", isInterface);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, "java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;", false);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/util/Collections",
                    "unmodifiableList",
                    "(Ljava/util/List;)Ljava/util/List;",
                    false);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        if (bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods")) {
            if (record == null) {
                throw refused("has the methods of a record that is another class");
            }
            record.call(mv, name, descriptor, arguments);
        } else {
            boolean isSerializable = bootstrap.getName().equals("altMetafactory");
            Object[] older = arguments.clone();
            for (int i = 0; i < older.length; i++) {
                if (older[i] instanceof Handle handle) {
                    if (isSerializable && functions.isOfSameNest(handle)) {
                        throw refused("makes an object with several types, which may be serialized, of "
                                + handle.getOwner() + "::" + handle.getName() + ": write a lambda");
                    }
                    older[i] = functions.older(handle);
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, older);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.INSTANCEOF && type.equals(RECORD)) {
            throw refused("asks whether an object is a record" + NO_RECORDS);
        }
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitLdcInsn(Object value) {
        if (value instanceof Type type
                && type.getSort() == Type.OBJECT
                && type.getInternalName().equals(RECORD)) {
            throw refused("uses Record.class" + NO_RECORDS);
        }
        super.visitLdcInsn(value);
    }

    private IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(method.replace('/', '.') + " " + what);
    }
}
