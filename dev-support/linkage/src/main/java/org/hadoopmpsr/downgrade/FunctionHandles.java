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

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The methods that lambdas and method references of a class call. On Java 11 the object of a lambda has the rights of the class that
 * makes it; since Java 15 it has those of all classes of the source file's top-level class. A method of another of these classes,
 * which may be private, is therefore called by a method of the class itself, as the compiler does for Java 11.
 */
final class FunctionHandles {
    private final String owner;
    private final boolean isInterface;
    private final String host;
    private final Set<String> privates = new HashSet<>();
    private final Map<Handle, Handle> bridges = new LinkedHashMap<>();

    FunctionHandles(ClassReader reader) {
        owner = reader.getClassName();
        isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
        String[] found = {owner};
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitNestHost(String name) {
                        found[0] = name;
                    }

                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        if ((access & Opcodes.ACC_PRIVATE) != 0) {
                            privates.add(name + descriptor);
                        }
                        return null;
                    }
                },
                ClassReader.SKIP_CODE);
        host = found[0];
    }

    /** The method that is named for Java 11 in place of this one. */
    Handle older(Handle handle) {
        if (handle.getTag() <= Opcodes.H_PUTSTATIC) {
            return handle;
        }
        if (handle.getOwner().equals(owner)) {
            return older(handle, privates.contains(handle.getName() + handle.getDesc()));
        }
        return isOfSameNest(handle) ? bridges.computeIfAbsent(handle, this::bridge) : handle;
    }

    /** Whether the method belongs to another class in whose private methods this one has rights. */
    boolean isOfSameNest(Handle handle) {
        String name = handle.getOwner();
        return !name.equals(owner) && (name.equals(host) || name.startsWith(host + "$"));
    }

    private static Handle older(Handle handle, boolean isPrivate) {
        boolean isVirtual = handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE;
        return isPrivate && isVirtual
                ? new Handle(
                        Opcodes.H_INVOKESPECIAL,
                        handle.getOwner(),
                        handle.getName(),
                        handle.getDesc(),
                        handle.isInterface())
                : handle;
    }

    private Handle bridge(Handle handle) {
        String descriptor = handle.getDesc();
        if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            descriptor = descriptor.substring(0, descriptor.length() - 1) + "L" + handle.getOwner() + ";";
        } else if (handle.getTag() != Opcodes.H_INVOKESTATIC) {
            descriptor = "(L" + handle.getOwner() + ";" + descriptor.substring(1);
        }
        return new Handle(Opcodes.H_INVOKESTATIC, owner, "bridge$" + bridges.size(), descriptor, isInterface);
    }

    /** Adds the methods that call those of other classes. */
    void write(ClassVisitor out) {
        bridges.forEach((called, bridge) -> {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
            MethodVisitor code = out.visitMethod(access, bridge.getName(), bridge.getDesc(), null, null);
            code.visitCode();
            if (called.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
                code.visitTypeInsn(Opcodes.NEW, called.getOwner());
                code.visitInsn(Opcodes.DUP);
            }
            int variable = 0;
            for (Type type : Type.getArgumentTypes(bridge.getDesc())) {
                code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), variable);
                variable += type.getSize();
            }
            code.visitMethodInsn(
                    call(called), called.getOwner(), called.getName(), called.getDesc(), called.isInterface());
            code.visitInsn(Type.getReturnType(bridge.getDesc()).getOpcode(Opcodes.IRETURN));
            code.visitMaxs(0, 0); // They are computed
            code.visitEnd();
        });
    }

    private static int call(Handle called) {
        return switch (called.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> called.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        };
    }
}
